/** The type of a parsed record: deeply read-only, with only the fields that its schema knows. */
export type Immutable<Value> = Value extends string | number | boolean | bigint | symbol | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : { readonly [Name in keyof Value as KnownName<Value, Name>]: Immutable<Value[Name]> }

/** Without the index signature of a loose object, whose values are unknown. */
type KnownName<Value, Name extends keyof Value> = string extends Name
  ? unknown extends Value[Name]
    ? never
    : Name
  : Name
