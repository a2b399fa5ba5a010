/** A model that must not be made as the config asks for it: says which, why, and what to do. Holds no secret. */
export class ModelSetupError extends Error {
  override readonly name = 'ModelSetupError'
  /** `provider/name`. */
  readonly model: string

  constructor(model: string, message: string) {
    super(`${model}: ${message}`)
    this.model = model
  }
}
