import { Icon, type IconName } from '#app/ui/icon.tsx'

export type Claim = { icon: IconName; title: string; text: string; path: string }

/** Benefits included with every order, each linked to its details page. */
export function Claims({ claims }: { claims: readonly Claim[] }) {
  return (
    <ul className="claims">
      {claims.map(({ icon, title, text, path }) => (
        <li key={title}>
          <Icon name={icon} />
          <div>
            <a className="strong" href={path}>
              {title}
            </a>
            <p className="small muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
