import { registerHooks } from 'node:module'

/** Other packages offer a `source` too, which Node cannot run: only ours are read from their sources. */
registerHooks({
  resolve(specifier, context, next) {
    const isOurs =
      /^[.#/]|^file:|^@quorate\/|^quorate$/.test(specifier) && !context.parentURL?.includes('/node_modules/')
    if (isOurs) return next(specifier, context)
    return next(specifier, { ...context, conditions: context.conditions.filter((name) => name !== 'source') })
  },
})
