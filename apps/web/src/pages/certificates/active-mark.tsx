import type { CertificateRow } from 'quorate/contract'
import { TEXT } from '../../text/english.ts'

export function ActiveMark({ row: { isActive, feasible } }: { readonly row: CertificateRow }) {
  return (
    <>
      <span className={isActive ? 'text-act active' : 'soft'}>
        <span aria-hidden="true">{isActive ? '●' : '○'}</span>{' '}
        {isActive ? TEXT.certificates.active : TEXT.certificates.inactive}
      </span>
      {feasible ? null : <span className="bad infeasible">✕ {TEXT.certificates.infeasible}</span>}
    </>
  )
}
