export function DebatesPage() {
  return <h1>Debates</h1>
}
