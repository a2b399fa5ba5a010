import { usePlace } from '../../app/router.ts'
import { CertificateList } from './certificate-list.tsx'
import { CertificatePage } from './certificate-page.tsx'
import { Comparison } from './comparison.tsx'
import '../../style/blocks.css'
import './certificates.css'

/** #/certificates, #/certificates/ID, and #/certificates?left=ID&right=ID to compare two. */
export function CertificatesPage() {
  const { rest, query } = usePlace()
  const [id] = rest
  const [left, right] = [query.get('left'), query.get('right')]
  if (id !== undefined && id !== '') return <CertificatePage key={id} id={id} />
  if (left !== null && right !== null) return <Comparison key={`${left} ${right}`} left={left} right={right} />
  return <CertificateList />
}
