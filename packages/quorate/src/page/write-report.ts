import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { standaloneSvg } from '../figures/drawing.ts'
import { FileError } from '../files/file-error.ts'
import { plainText } from '../report/plain-text.ts'
import type { ReportData } from './report-data.ts'
import { reportFigures } from './report-figures.ts'
import { reportPage } from './report-page.ts'

export interface WrittenReport {
  readonly page: string
  readonly figures: readonly string[]
}

const FIGURE_WIDTH = 640

/** Writes `report.html` and `figures/*.svg` into a folder, each whole or not at all; other files there stay. */
export async function writeReport(folder: string, data: ReportData): Promise<WrittenReport> {
  await makeFolder(join(folder, 'figures'), folder)
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

async function makeFolder(path: string, folder: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    const found = await stat(folder).catch(() => undefined)
    const reason = found?.isFile() ? 'it is a file' : 'it cannot be made'
    throw new FileError(`--out ${plainText(folder)} must be a folder: ${reason}`, { cause })
  }
}

/** Beside its place first: a reader never sees half a file. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  }
}
