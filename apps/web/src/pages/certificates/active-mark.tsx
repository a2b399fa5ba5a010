import type { CertificateRow } from 'quorate/contract'

export function ActiveMark({ row: { isActive, feasible } }: { readonly row: CertificateRow }) {
  return (
    <>
      <span className={isActive ? 'text-act active' : 'soft'}>
        <span aria-hidden="true">{isActive ? '●' : '○'}</span> {isActive ? 'active' : 'not active'}
      </span>
      {feasible ? null : <span className="bad infeasible">✕ cannot act: its budget is too small</span>}
    </>
  )
}
