export function OperatingPointPage() {
  return <h1>OperatingPoint</h1>
}
