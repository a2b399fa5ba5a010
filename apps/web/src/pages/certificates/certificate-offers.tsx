import { countText } from 'quorate/figures'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { useCertificates } from './certificate-queries.ts'
import { MakeOne } from './make-one.tsx'

const MAX_OFFERS = 4

/** Offers certificates for activation while none is active. */
export function CertificateOffers({ isAdmin }: { readonly isAdmin: boolean }) {
  const list = useCertificates()
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (list.isPending) return <Loading what="certificates" />
  if (list.isError && rows.length === 0) return <Failure error={list.error} again={() => void list.refetch()} />
  return (
    <section className="section card">
      <h2>{rows.length === 0 ? 'No certificate is stored yet' : 'Activate one of these'}</h2>
      {rows.length === 0 ? (
        <MakeOne />
      ) : (
        <table className="stack">
          <thead>
            <tr>
              <th scope="col">Certificate</th>
              <th scope="col" className="number">
                Labels
              </th>
              <th scope="col" className="number">
                Beta
              </th>
              <th scope="col">
                <span className="hidden">Activate</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_OFFERS).map(({ id, labels, budget, profile, feasible }, index) => (
              <tr key={id}>
                <th scope="row">
                  <a className="mono" href={linkTo('certificates', [id])}>
                    <DataText text={id.slice(0, 6)} />
                  </a>
                  <br />
                  <span className="interval">
                    profile <DataText text={profile} />
                    {feasible ? '' : ', acts on nothing'}
                  </span>
                </th>
                <td className="number gone">{countText(labels)}</td>
                <td className="number gone">{declaredText(budget.beta)} %</td>
                <td className="number">
                  {isAdmin ? (
                    <a
                      className={`button ${index === 0 ? 'primary' : ''}`}
                      href={linkTo('certificates', [id], { activate: 'yes' })}
                    >
                      Activate…
                    </a>
                  ) : (
                    <span className="faint">an admin can activate it</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
