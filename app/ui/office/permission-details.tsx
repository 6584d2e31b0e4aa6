import type { PermissionGrants } from '#app/office/permission-grants.ts'
import { countOf } from '#platform/count-text.ts'

const kinds = [
  { kind: 'pages', title: 'Pages', noun: 'page' },
  { kind: 'actions', title: 'Actions', noun: 'action' },
  { kind: 'fields', title: 'Fields', noun: 'field' },
] as const

/** Renders how many pages, actions, and fields a permission opens, and their names on request. `of` is the permission. */
export function PermissionDetails({ of, grants }: { of: string; grants: PermissionGrants }) {
  const shown = kinds.filter(({ kind }) => grants[kind].length > 0)
  if (shown.length === 0) return null
  return (
    <details className="office-grants">
      <summary>
        {shown.map(({ kind, noun }) => countOf(grants[kind].length, noun)).join(', ')}
        <span className="visually-hidden"> of {of}</span>
      </summary>
      <dl>
        {shown.map(({ kind, title }) => (
          <div key={kind}>
            <dt>{title}</dt>
            <dd>{grants[kind].join(' · ')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
