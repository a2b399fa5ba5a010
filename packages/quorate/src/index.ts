export type { DemoOptions } from './demo/demo-options.ts'
export { runDemo } from './demo/run-demo.ts'
