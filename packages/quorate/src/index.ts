export { type DemoOptions, runDemo } from './demo/run-demo.ts'
