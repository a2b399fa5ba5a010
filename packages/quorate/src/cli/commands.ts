import type { Command } from './command.ts'

/** A command whose module is loaded only when it is used, because loading all of them takes long. */
export interface CommandEntry {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  load(): Promise<Command>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'write a commented config and ten sample questions',
    load: async () => (await import('./commands/init-command.ts')).initCommand,
  },
  {
    name: 'validate',
    summary: 'check the config: agents, hosts, key names, prices, limits',
    load: async () => (await import('./commands/validate-command.ts')).validateCommand,
  },
  {
    name: 'demo',
    summary: 'debate, calibrate, decide, audit and report, all simulated',
    load: async () => (await import('./commands/demo-command.ts')).demoCommand,
  },
  {
    name: 'run',
    summary: 'process a file: calibrate on its labels and decide the rest',
    load: async () => (await import('./commands/run-command.ts')).runCommand,
  },
  {
    name: 'debate',
    summary: 'debate questions through all rounds, for calibration',
    load: async () => (await import('./commands/debate-command.ts')).debateCommand,
  },
  {
    name: 'calibrate',
    summary: 'make a certificate from labelled debates',
    load: async () => (await import('./commands/calibrate-command.ts')).calibrateCommand,
  },
  {
    name: 'decide',
    summary: 'act where the bound allows it and defer the rest to a person',
    load: async () => (await import('./commands/decide-command.ts')).decideCommand,
  },
  {
    name: 'evaluate',
    summary: 'compare all policies on your labelled debates',
    load: async () => (await import('./commands/evaluate-command.ts')).evaluateCommand,
  },
  {
    name: 'plan',
    summary: 'show which budget your labels can reach and how many are missing',
    load: async () => (await import('./commands/plan-command.ts')).planCommand,
  },
  {
    name: 'audit',
    summary: 'test which assumptions your labelled debates contradict',
    load: async () => (await import('./commands/audit-command.ts')).auditCommand,
  },
  {
    name: 'report',
    summary: 'write every figure, table, audit and caveat to one page',
    load: async () => (await import('./commands/report-command.ts')).reportCommand,
  },
  {
    name: 'serve',
    summary: 'start the web app and the HTTP API',
    load: async () => (await import('./commands/serve-command.ts')).serveCommand,
  },
  {
    name: 'mcp',
    summary: 'offer a running server to agents (Model Context Protocol)',
    load: async () => (await import('./commands/mcp-command.ts')).mcpCommand,
  },
  {
    name: 'worker',
    summary: 'debate the questions of detached runs, with other workers',
    load: async () => (await import('./commands/worker-command.ts')).workerCommand,
  },
  {
    name: 'status',
    summary: 'show the progress of detached runs and their workers',
    load: async () => (await import('./commands/status-command.ts')).statusCommand,
  },
  {
    name: 'stop',
    summary: 'stop a detached run after the questions under way',
    load: async () => (await import('./commands/stop-command.ts')).stopCommand,
  },
  {
    name: 'token',
    summary: 'create, list and revoke tokens of the server',
    load: async () => (await import('./commands/token-command.ts')).tokenCommand,
  },
  {
    name: 'agreement',
    summary: 'show how well reviewers and agents agree (kappa)',
    load: async () => (await import('./commands/agreement-command.ts')).agreementCommand,
  },
  {
    name: 'grade',
    summary: "grade the panel's answers with a program",
    load: async () => (await import('./commands/grade-command.ts')).gradeCommand,
  },
  {
    name: 'import',
    summary: 'import debates, labels or questions from JSONL or CSV',
    load: async () => (await import('./commands/import-command.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'list runs, or write debates, decisions, calls or a bundle',
    load: async () => (await import('./commands/export-command.ts')).exportCommand,
  },
  {
    name: 'verify',
    summary: 'check that a bundle is unchanged and recompute its decisions',
    load: async () => (await import('./commands/verify-command.ts')).verifyCommand,
  },
  {
    name: 'backup',
    summary: 'copy the store consistently, even while it is in use',
    load: async () => (await import('./commands/backup-command.ts')).backupCommand,
  },
  {
    name: 'archive',
    summary: 'move the calls of old runs from the store into files',
    load: async () => (await import('./commands/archive-command.ts')).archiveCommand,
  },
  {
    name: 'redact',
    summary: 'erase the texts of one question everywhere in the store',
    load: async () => (await import('./commands/redact-command.ts')).redactCommand,
  },
]
