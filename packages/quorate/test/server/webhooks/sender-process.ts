import { startWebhookSender } from '../../../src/server/webhooks/sender.ts'
import { createMessagesOf, targetName } from '../../../src/server/webhooks/targets.ts'
import { openStoreAt } from '../../../src/store/open-store.ts'
import { timerSleep } from '../../../src/traffic/timer-sleep.ts'

/** sender-process.ts DATABASE URL LATER: announces ten events and delivers messages until it is killed. */
const [database = '', url = '', later = '0'] = process.argv.slice(2)
// As if it were started that much later, when the leases of a dead process have expired.
const now = () => Date.now() + Number(later)
const store = await openStoreAt(`sqlite:${database}`, { baseFolder: '.', now })
let count = 0
const messagesOf = createMessagesOf([{ url, events: ['decision.acted'] }], () => `${later}-${++count}`)
const messages = Array.from({ length: 10 }, () => {
  const at = now()
  return messagesOf({ event: 'decision.acted', subject: null, at, notBefore: at, body: {} })
}).flat()
await store.outbox.add(messages)
// From here on the messages are accepted, and none may be lost.
process.stdout.write(`${messages.map(({ id }) => id).join('\n')}\n`)
startWebhookSender({
  outbox: store.outbox,
  targets: new Map([[targetName(url), { url, secret: 'a secret of sixteen' }]]),
  publicOrigin: null,
  now,
  sleep: timerSleep,
  random: () => 0,
  report: (words) => process.stderr.write(`${words}\n`),
})
