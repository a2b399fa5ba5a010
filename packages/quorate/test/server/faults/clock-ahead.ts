/** Loaded before a server (--import): its clock runs ahead of ours, so that leases and times to undo end between two lives. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const ours = Date.now

Date.now = () => ours() + aheadMs
