import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { type OpenedPage, openPage, type View } from '../../../../apps/web/test/fixture/opened-page.ts'
import { type Served, serve } from './served.ts'

const sharedBrowser = inject('sharedBrowser')
if (sharedBrowser === null) process.stderr.write('end-to-end tests in a browser are skipped: there is no browser\n')

export interface Stage {
  /** Of this file's tests; gone after them. */
  readonly folder: string
  /** Once the server is up; null again after `served.stop`. */
  readonly serve: (...flags: string[]) => Promise<Served>
  readonly browser: () => Browser
  readonly open: (served: Served, link: string, view?: Partial<View>) => Promise<OpenedPage>
}

/** Tests with real servers in a folder of their own and a real browser; skipped where there is none. */
export function describeForReal(title: string, body: (stage: () => Stage) => void): void {
  describe.skipIf(sharedBrowser === null)(title, () => {
    let [browser, folder]: [Browser | undefined, string] = [undefined, '']
    const servers: Served[] = []
    beforeAll(async () => {
      folder = await temporaryFolder()
      // Closing it closes the pages of this file only.
      browser = await chromium.connect(sharedBrowser ?? '')
    })
    afterAll(async () => {
      await browser?.close()
      for (const { child } of servers) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    })
    const browserOf = () => {
      if (browser === undefined) throw new Error('the browser is launched before the tests')
      return browser
    }
    body(() => ({
      folder,
      serve: async (...flags) => {
        const served = await serve(folder, ...flags)
        servers.push(served)
        return served
      },
      browser: browserOf,
      open: ({ address }, link, view = {}) => openPage(browserOf(), address, link, { width: 1440, ...view }),
    }))
  })
}

/** With the config, the questions, the debates and the certificate that all files share. */
export function copyCalibrated(folder: string): Promise<void> {
  return cp(inject('calibratedFolder'), folder, { recursive: true })
}

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'quorate-end-to-end-'))
}
