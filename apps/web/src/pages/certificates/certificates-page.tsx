import { useMonitor } from '../../api/queries.ts'
import { usePlace } from '../../app/router.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { CertificateList } from './certificate-list.tsx'
import { CertificatePage } from './certificate-page.tsx'
import { Comparison } from './comparison.tsx'
import '../../style/blocks.css'
import './certificates.css'

/** #/certificates, #/certificates/ID/TAB (`active` is the active one), or #/certificates?left=ID&right=ID to compare. */
export function CertificatesPage() {
  const { rest, query } = usePlace()
  const [id, tab] = rest
  const [left, right] = [query.get('left'), query.get('right')]
  if (id === 'active') return <ActiveCertificate tab={tab} />
  if (id !== undefined && id !== '') return <CertificatePage key={id} id={id} tab={tab} />
  if (left !== null && right !== null) return <Comparison key={`${left} ${right}`} left={left} right={right} />
  return <CertificateList />
}

/** The active certificate, or the list if none is active. */
function ActiveCertificate({ tab }: { readonly tab: string | undefined }) {
  const monitor = useMonitor()
  const id = monitor.data?.certificate?.id
  if (id !== undefined) return <CertificatePage key={id} id={id} tab={tab} />
  if (monitor.data !== undefined) return <CertificateList />
  return (
    <>
      <PageHead title="Certificates" />
      <div className="body">
        {monitor.isError ? (
          <Failure error={monitor.error} again={() => void monitor.refetch()} />
        ) : (
          <Loading what="certificates" />
        )}
      </div>
    </>
  )
}
