import type { Command } from './command.ts'

/** A command before its module is loaded: what takes long to load is loaded only where it is used. */
export interface CommandEntry extends Pick<Command, 'name'> {
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
    summary: 'check the config: agents, hosts, keys by name, prices, limits',
    load: async () => (await import('./commands/validate-command.ts')).validateCommand,
  },
  {
    name: 'demo',
    summary: 'debate, calibrate, decide, audit, report on a simulated panel',
    load: async () => (await import('./commands/demo-command.ts')).demoCommand,
  },
  {
    name: 'run',
    summary: 'a whole file: calibrate on its labels, decide the rest',
    load: async () => (await import('./commands/run-command.ts')).runCommand,
  },
  {
    name: 'debate',
    summary: 'hold debates over questions, all rounds, to calibrate on',
    load: async () => (await import('./commands/debate-command.ts')).debateCommand,
  },
  {
    name: 'calibrate',
    summary: 'make a certificate from labelled debates; what it can do',
    load: async () => (await import('./commands/calibrate-command.ts')).calibrateCommand,
  },
  {
    name: 'decide',
    summary: 'act where the bound allows it, hand the rest to a person',
    load: async () => (await import('./commands/decide-command.ts')).decideCommand,
  },
  {
    name: 'evaluate',
    summary: 'what each way of deciding does on your labelled debates',
    load: async () => (await import('./commands/evaluate-command.ts')).evaluateCommand,
  },
  {
    name: 'plan',
    summary: 'what budget your debates can reach, which labels are missing',
    load: async () => (await import('./commands/plan-command.ts')).planCommand,
  },
  {
    name: 'audit',
    summary: 'which assumptions your labelled debates contradict',
    load: async () => (await import('./commands/audit-command.ts')).auditCommand,
  },
  {
    name: 'report',
    summary: 'one page with every figure, table, audit and caveat',
    load: async () => (await import('./commands/report-command.ts')).reportCommand,
  },
  {
    name: 'serve',
    summary: 'the web app and the HTTP API: decisions, review queue, monitor',
    load: async () => (await import('./commands/serve-command.ts')).serveCommand,
  },
  {
    name: 'mcp',
    summary: 'offer a running server to agents (Model Context Protocol)',
    load: async () => (await import('./commands/mcp-command.ts')).mcpCommand,
  },
  {
    name: 'worker',
    summary: 'hold debates of detached runs, beside any number of others',
    load: async () => (await import('./commands/worker-command.ts')).workerCommand,
  },
  {
    name: 'status',
    summary: 'how far detached runs have come, and how their workers are',
    load: async () => (await import('./commands/status-command.ts')).statusCommand,
  },
  {
    name: 'stop',
    summary: 'no worker takes more questions of a detached run',
    load: async () => (await import('./commands/stop-command.ts')).stopCommand,
  },
  {
    name: 'token',
    summary: 'who may use the server: create, list and revoke tokens',
    load: async () => (await import('./commands/token-command.ts')).tokenCommand,
  },
  {
    name: 'grade',
    summary: "say by a program whether the panel's answers are right",
    load: async () => (await import('./commands/grade-command.ts')).gradeCommand,
  },
  {
    name: 'import',
    summary: 'bring in debates, labels or questions from JSONL or CSV',
    load: async () => (await import('./commands/import-command.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'list runs; write debates, decisions, calls, or a bundle',
    load: async () => (await import('./commands/export-command.ts')).exportCommand,
  },
  {
    name: 'verify',
    summary: 'check that a bundle is unchanged and recompute its decisions',
    load: async () => (await import('./commands/verify-command.ts')).verifyCommand,
  },
  {
    name: 'backup',
    summary: 'a consistent copy of the store, also while it is in use',
    load: async () => (await import('./commands/backup-command.ts')).backupCommand,
  },
  {
    name: 'archive',
    summary: 'move the calls of old runs out of the store, into files',
    load: async () => (await import('./commands/archive-command.ts')).archiveCommand,
  },
  {
    name: 'redact',
    summary: 'erase the texts of one question everywhere in the store',
    load: async () => (await import('./commands/redact-command.ts')).redactCommand,
  },
]
