export function QueuePage() {
  return <h1>Queue</h1>
}
