import { calibrate, writeFolder } from './quorate-folder.ts'

/** node calibrate-folder.ts FOLDER */
const [, , folder = ''] = process.argv
await writeFolder(folder)
await calibrate(folder)
