export function CertificatesPage() {
  return <h1>Certificates</h1>
}
