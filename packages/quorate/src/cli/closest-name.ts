export { closestName } from '../config/closest-name.ts'
