import type { Role } from './session.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The lowest role that may use it; null: anybody, even without a token. */
  readonly role: Role | null
  /** Only a person may use it: a machine's token is refused. */
  readonly humanOnly?: true
  readonly summary: string
}

/** Every route with its role. The server, its OpenAPI document and the access table of the tests are derived from it. */
export const ROUTES = [
  { method: 'GET', path: '/healthz', role: null, summary: 'show that the process is alive' },
  { method: 'GET', path: '/readyz', role: null, summary: 'show that the store and the server accept requests' },
  { method: 'GET', path: '/metrics', role: 'viewer', summary: 'metrics for Prometheus' },
  { method: 'GET', path: '/openapi.json', role: null, summary: 'this description' },
  { method: 'POST', path: '/mcp', role: 'viewer', summary: 'the tools of the Model Context Protocol' },
  { method: 'POST', path: '/v1/session', role: null, summary: 'sign in with a token' },
  { method: 'GET', path: '/v1/session', role: 'viewer', summary: 'who you are' },
  { method: 'DELETE', path: '/v1/session', role: 'viewer', summary: 'sign out' },
  { method: 'POST', path: '/v1/decisions', role: 'reviewer', summary: 'ask the panel a question' },
  {
    method: 'POST',
    path: '/v1/decisions/known',
    role: 'reviewer',
    summary: 'list which of these ids are already decided',
  },
  { method: 'GET', path: '/v1/decisions/{id}', role: 'viewer', summary: 'a decision; ?wait=30 waits for it' },
  {
    method: 'GET',
    path: '/v1/decisions/{id}/events',
    role: 'viewer',
    summary: 'the rounds of a decision as server-sent events',
  },
  { method: 'POST', path: '/v1/chat/completions', role: 'reviewer', summary: 'ask the panel as an OpenAI chat model' },
  { method: 'POST', path: '/v1/responses', role: 'reviewer', summary: 'ask the panel with the OpenAI Responses API' },
  { method: 'GET', path: '/v1/models', role: 'viewer', summary: 'list the panel as a model' },
  { method: 'POST', path: '/v1/certify', role: 'reviewer', summary: 'decide the rounds so far of your own debate' },
  { method: 'GET', path: '/v1/certificates', role: 'viewer', summary: 'certificates, latest first' },
  { method: 'POST', path: '/v1/certificates', role: 'admin', summary: 'calibrate on labelled debates (JSONL)' },
  { method: 'GET', path: '/v1/certificates/{id}', role: 'viewer', summary: 'one certificate' },
  {
    method: 'POST',
    path: '/v1/certificates/{id}/activate',
    role: 'admin',
    humanOnly: true,
    summary: 'activate a certificate',
  },
  { method: 'GET', path: '/v1/debates', role: 'viewer', summary: 'debates, latest first' },
  { method: 'GET', path: '/v1/debate-summary', role: 'viewer', summary: 'counts of the debates that match a query' },
  { method: 'GET', path: '/v1/debates/{runId}/{questionId}', role: 'viewer', summary: 'one debate with its evidence' },
  { method: 'GET', path: '/v1/export/answers', role: 'viewer', summary: 'final answers as CSV or JSONL' },
  {
    method: 'POST',
    path: '/v1/export/answers',
    role: 'viewer',
    summary: 'final answers of these debates as CSV or JSONL',
  },
  {
    method: 'GET',
    path: '/v1/operating-point',
    role: 'viewer',
    summary: 'debates without text, to replay under another budget',
  },
  {
    method: 'GET',
    path: '/v1/evaluate',
    role: 'viewer',
    summary: 'compare the policies of quorate with the baselines',
  },
  { method: 'GET', path: '/v1/audit', role: 'viewer', summary: 'test the assumptions of the certificate' },
  { method: 'GET', path: '/v1/reviews', role: 'viewer', summary: 'list the review queue' },
  { method: 'POST', path: '/v1/reviews/next', role: 'reviewer', humanOnly: true, summary: 'claim the next item' },
  {
    method: 'POST',
    path: '/v1/reviews/assign',
    role: 'admin',
    summary: 'assign these items to a reviewer, with a due date',
  },
  { method: 'POST', path: '/v1/reviews/release', role: 'admin', summary: 'release the claims on these items' },
  { method: 'POST', path: '/v1/reviews/request', role: 'reviewer', summary: 'send decided debates to review' },
  { method: 'GET', path: '/v1/reviews/{id}', role: 'reviewer', summary: 'one item' },
  {
    method: 'POST',
    path: '/v1/reviews/{id}/claim',
    role: 'reviewer',
    humanOnly: true,
    summary: 'claim this item, or extend the claim',
  },
  { method: 'POST', path: '/v1/reviews/{id}/submit', role: 'reviewer', humanOnly: true, summary: 'submit a review' },
  { method: 'POST', path: '/v1/reviews/{id}/skip', role: 'reviewer', summary: 'skip this item' },
  { method: 'POST', path: '/v1/reviews/{id}/release', role: 'reviewer', summary: 'release the claim on this item' },
  {
    method: 'POST',
    path: '/v1/reviews/{id}/undo',
    role: 'reviewer',
    humanOnly: true,
    summary: 'undo a review',
  },
  { method: 'POST', path: '/v1/claims/release', role: 'admin', summary: 'release all claims of a reviewer' },
  { method: 'GET', path: '/v1/agreement', role: 'viewer', summary: 'how well reviewers and agents agree' },
  { method: 'GET', path: '/v1/labels', role: 'viewer', summary: 'labels with their provenance' },
  { method: 'GET', path: '/v1/monitor', role: 'viewer', summary: 'the evidence on whether the budget is kept' },
  { method: 'POST', path: '/v1/policy/suspend', role: 'admin', humanOnly: true, summary: 'suspend the policy' },
  { method: 'POST', path: '/v1/policy/release', role: 'admin', humanOnly: true, summary: 'release the policy' },
  { method: 'GET', path: '/v1/runs', role: 'viewer', summary: 'runs with their progress and cost, latest first' },
  { method: 'GET', path: '/v1/settings', role: 'viewer', summary: 'the settings of this server' },
  { method: 'GET', path: '/v1/tokens', role: 'admin', summary: 'list tokens, without their secrets' },
  {
    method: 'POST',
    path: '/v1/tokens',
    role: 'admin',
    humanOnly: true,
    summary: 'create a token, which is shown once',
  },
  {
    method: 'POST',
    path: '/v1/tokens/{id}/revoke',
    role: 'admin',
    humanOnly: true,
    summary: 'revoke a token and end its sessions',
  },
  { method: 'GET', path: '/v1/ledger', role: 'viewer', summary: 'the ledger of a run' },
] as const satisfies readonly Route[]
