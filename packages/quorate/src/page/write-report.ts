import { join } from 'node:path'
import { standaloneSvg } from '../figures/drawing.ts'
import { makeFolder, makeOwnFolder, writeWhole } from '../files/write-whole.ts'
import type { ReportData } from './report-data.ts'
import { reportFigures } from './report-figures.ts'
import { reportPage } from './report-page.ts'

export interface WrittenReport {
  readonly page: string
  readonly figures: readonly string[]
}

const FIGURE_WIDTH = 640

/** Writes `report.html` and `figures/*.svg` into a folder. Each write is atomic, and other files in the folder are kept. */
export async function writeReport(folder: string, data: ReportData): Promise<WrittenReport> {
  await makeFolder(folder)
  await makeOwnFolder(join(folder, 'figures'))
  const figures: string[] = []
  for (const draw of Object.values(reportFigures(data))) {
    const drawing = draw(FIGURE_WIDTH)
    const path = join(folder, 'figures', `${drawing.name}.svg`)
    await writeWhole(path, standaloneSvg(drawing))
    figures.push(path)
  }
  const page = join(folder, 'report.html')
  await writeWhole(page, reportPage(data))
  return { page, figures }
}
