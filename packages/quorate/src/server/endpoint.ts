import type { Context } from 'hono'
import type { z } from 'zod'
import type { ROUTES } from '../contract/routes.ts'
import type { Gate } from './access/gate.ts'
import type { Identity } from './access/identity.ts'
import type { AppEnvironment, AppParts } from './app-parts.ts'
import type { Services } from './services.ts'

type NameOf<Known> = Known extends {
  readonly method: infer Method extends string
  readonly path: infer Path extends string
}
  ? `${Method} ${Path}`
  : never

/** `GET /v1/debates` and all the others: the table of endpoints must have each. */
export type RouteName = NameOf<(typeof ROUTES)[number]>

type Fields = z.ZodObject<z.ZodRawShape>
type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export interface Surroundings {
  readonly services: Services
  readonly gate: Gate
  readonly parts: AppParts
}

export interface Request<Params, Query, Body> extends Surroundings {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly who: Identity
  readonly context: Context<AppEnvironment>
}

/** How a route is read and answered. */
export interface Definition<Params, Query, Body, Answer> {
  readonly params?: Params
  readonly query?: Query
  /** JSON. */
  readonly body?: Body
  /** Bytes that the JSON may have; 100 kB unless given. */
  readonly mostBytes?: number
  /** Null: it answers with a response of its own. */
  readonly answer: Answer
  /** It may be long: requests of one token are answered one at a time, and it is written in pieces. */
  readonly isLong?: true
  /** 200 unless given. */
  readonly status?: 200 | 202
  /** The type of a body that the route reads itself, up to `most` bytes. */
  readonly streamed?: { readonly type: string; readonly most: number }
  /** Of an answer that is no JSON. */
  readonly type?: string
  run(
    request: Request<Read<Params>, Read<Query>, Read<Body>>,
  ): Promise<Answer extends z.ZodType ? Frozen<z.input<Answer>> : Response>
}

/** Read from outside: what each endpoint gives in is checked by its own definition. */
export interface Endpoint extends Omit<Definition<Fields, Fields, z.ZodType, z.ZodType | null>, 'run'> {
  run(request: Request<unknown, unknown, unknown>): Promise<unknown>
}

export function endpoint<
  Answer extends z.ZodType | null,
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: Definition<Params, Query, Body, Answer>): Endpoint {
  // The app reads params, query and body with these very schemas before it calls `run`.
  return definition as unknown as Endpoint
}

/** Services give lists that nobody may change. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value
