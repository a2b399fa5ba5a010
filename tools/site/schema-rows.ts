import { z } from 'zod'

/** The part of JSON Schema that the reference uses. */
export interface Schema {
  readonly $ref?: string | undefined
  readonly type?: string | readonly string[] | undefined
  readonly description?: string | undefined
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly maxLength?: number | undefined
  readonly required?: readonly string[] | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
  readonly additionalProperties?: boolean | Schema | undefined
  readonly items?: Schema | undefined
  readonly anyOf?: readonly Schema[] | undefined
  readonly oneOf?: readonly Schema[] | undefined
}

export const schemaSchema: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  maxLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  properties: z.lazy(() => z.record(z.string(), schemaSchema)).optional(),
  additionalProperties: z.lazy(() => z.union([z.boolean(), schemaSchema])).optional(),
  items: z.lazy(() => schemaSchema).optional(),
  anyOf: z.lazy(() => z.array(schemaSchema)).optional(),
  oneOf: z.lazy(() => z.array(schemaSchema)).optional(),
})

export interface Row {
  /** Such as panel.agents[].name. */
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly fallback: string
  readonly description: string
}

/** One row per field. Fields of nested objects and lists have the path of their parent, down to `depth` levels. */
export function schemaRows(schema: Schema, depth: number, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const row: Row = {
      path,
      type: typeText(field),
      isRequired: schema.required?.includes(name) === true && field.default === undefined,
      fallback: isScalar(field.default) ? JSON.stringify(field.default) : '',
      description: field.description ?? '',
    }
    return [row, ...(depth > 1 ? nestedRows(field, depth - 1, path) : [])]
  })
}

function nestedRows(field: Schema, depth: number, path: string): Row[] {
  const forms = [field, ...(field.anyOf ?? []), ...(field.oneOf ?? [])]
  return forms.flatMap((form) => {
    const variant = form.properties?.['kind']?.const
    const prefix = typeof variant === 'string' ? `${path}(${variant}).` : `${path}.`
    const values = typeof form.additionalProperties === 'object' ? form.additionalProperties : undefined
    return [
      ...schemaRows(form, depth, prefix),
      ...schemaRows(form.items ?? {}, depth, `${path}[].`),
      ...schemaRows(values ?? {}, depth, `${path}.NAME.`),
    ]
  })
}

/** The type in words: integer 1 to 64, "vote" or "stated", list of strings. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined) return [...new Set(forms.map(typeText))].join(' or ')
  if (schema.items !== undefined)
    return `list of ${typeText(schema.items)}${rangeText(schema.minItems, schema.maxItems)}`
  const name = typeof schema.type === 'string' ? schema.type : (schema.type ?? ['any']).join(' or ')
  if (name === 'string')
    return schema.maxLength === undefined ? name : `${name}, at most ${schema.maxLength} characters`
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const from = minimum ?? (exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`)
  // zod writes the largest safe integer where a schema has no limit.
  const to = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  return `${name}${rangeText(from === -Number.MAX_SAFE_INTEGER ? undefined : from, to ?? below(exclusiveMaximum))}`
}

function below(limit: number | undefined): string | undefined {
  return limit === undefined ? undefined : `below ${limit}`
}

function rangeText(from: number | string | undefined, to: number | string | undefined): string {
  if (from === undefined && to === undefined) return ''
  if (to === undefined) return typeof from === 'string' ? `, ${from}` : `, at least ${from}`
  if (from === undefined) return typeof to === 'string' ? `, ${to}` : `, at most ${to}`
  return typeof from === 'string' || typeof to === 'string' ? `, ${from}, ${to}` : `, ${from} to ${to}`
}

function isScalar(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null)
}
