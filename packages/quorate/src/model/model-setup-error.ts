/**
 * A model cannot be created as the config asks for it. The message says which one, why, and what to do. It contains no secret.
 */
export class ModelSetupError extends Error {
  override readonly name = 'ModelSetupError'
  /** `provider/name`. */
  readonly model: string

  constructor(model: string, message: string) {
    super(`${model}: ${message}`)
    this.model = model
  }
}
