import { usualFloor } from '@quorate/certificate'
import type { SettingsView, TokenRow } from '../../../contract/settings.ts'
import { DAY_MS } from '../../../record/day.ts'
import { ACCESS_CHAIN, type StoredToken } from '../../../store/access.ts'
import type { LedgerEntry } from '../../../store/store.ts'
import { allTokens } from '../../access/credentials.ts'
import { hashOf } from '../../access/identify.ts'
import { ProblemError } from '../../problem-response.ts'
import type { Services, ServiceTools } from '../../services.ts'

/** The name of the person on the server's own machine, who has no token. */
const LOCAL = 'local'

export function tokenService({ store, now, newId, newKey }: ServiceTools): Services['tokens'] {
  return {
    list: async () => ({ items: (await allTokens(store)).map(rowOf) }),
    async create({ name, role, kind, days }, who) {
      if (name === LOCAL) {
        throw new ProblemError({ status: 400, detail: `Expected a name other than "${LOCAL}", which has no token.` })
      }
      const token = `qt_${Buffer.from(newKey(), 'hex').toString('base64url')}`
      const createdAt = now()
      const expiresAt = days === undefined || days === null ? null : createdAt + days * DAY_MS
      const row = { id: newId(), name, role, kind, hash: hashOf(token), createdAt, expiresAt }
      await store.tokens.create(
        { ...row, madeBy: who.name },
        accessEntry('token-made', row, { by: who.name, at: createdAt }),
      )
      return { ...rowOf({ ...row, revokedAt: null, lastUsedAt: null, madeBy: who.name }), token }
    },
    async revoke(id, who) {
      const token = await store.tokens.findById(id)
      if (token === null) return null
      const at = now()
      await store.tokens.revoke(id, at, accessEntry('token-revoked', token, { by: who.name, at }))
      return rowOf({ ...token, revokedAt: token.revokedAt ?? at })
    },
  }
}

/** Records who gave whom which rights. A program sees what is hidden from people, so creating its token must leave a trace. */
function accessEntry(
  kind: 'token-made' | 'token-revoked',
  { id, name, role, kind: of, expiresAt }: Pick<StoredToken, 'id' | 'name' | 'role' | 'kind' | 'expiresAt'>,
  { by, at }: { readonly by: string; readonly at: number },
): LedgerEntry {
  return { runId: ACCESS_CHAIN, kind, at, body: { tokenId: id, name, role, kind: of, expiresAt, by }, texts: [] }
}

function rowOf({ id, name, role, kind, createdAt, expiresAt, revokedAt, lastUsedAt }: StoredToken): TokenRow {
  return { id, name, role, kind, createdAt, expiresAt, revokedAt, lastUsedAt }
}

/** The configuration of this server, without keys and without addresses that contain one. */
export function settingsView(tools: ServiceTools): SettingsView {
  const { settings, claimMs, undoMs, panel, webhookHosts = [] } = tools
  const { spotCheckRate, maxClaims, declared, secondShare = 0 } = settings
  const plan = 'plan' in panel ? panel.plan.panel : null
  const models = 'models' in panel ? panel.models : null
  const agents = (plan?.agents ?? []).map(({ name, model }) => ({
    name,
    model,
    host: models?.get(name)?.model.hosts[0] ?? models?.get(model)?.model.hosts[0] ?? null,
  }))
  const asked = new Set(agents.flatMap(({ host }) => host ?? []))
  return {
    spotCheckRate,
    secondShare,
    maxClaims,
    claimMs,
    undoMs,
    declared:
      declared === undefined
        ? null
        : {
            profile: declared.profile,
            beta: declared.budget.beta,
            floor: declaredFloor(declared),
            deferGroups: [...declared.deferGroups],
          },
    guideline: declared?.guideline ?? null,
    labels: taskLabels(tools)?.map(([name, text]) => ({ name, text })) ?? null,
    panel: plan === null ? null : { rounds: plan.rounds, agents },
    missing: 'missing' in panel ? panel.missing : null,
    hosts: [
      ...[...asked].map((host) => ({ host, what: 'questions and arguments, for the models of the panel' })),
      ...webhookHosts.map((host) => ({ host, what: 'webhooks: events without the texts of questions' })),
    ],
  }
}

function declaredFloor({ profile, budget }: NonNullable<ServiceTools['settings']['declared']>): number | null {
  if (profile !== 'total') return null
  const floor = budget.total?.floor ?? usualFloor(budget.beta)
  return floor === 'none' ? null : floor
}

/** The labels of the task with their descriptions, in its order; null: every question has its own options. */
export function taskLabels({ panel }: ServiceTools): readonly (readonly [string, string])[] | null {
  const answers = 'plan' in panel ? panel.plan.panel.answers : undefined
  return answers?.kind === 'labels' ? Object.entries(answers.labels) : null
}
