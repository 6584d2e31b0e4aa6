import { Icon, type IconName } from '#app/ui/icon.tsx'

/** The content of a page before its first record, with the links that add one. */
export function EmptyState({
  icon,
  title,
  text,
  note,
  links,
}: {
  icon: IconName
  title: string
  text: string
  note: string
  links: readonly { label: string; path: string; isPrimary: boolean }[]
}) {
  return (
    <section className="office-panel empty-state" aria-labelledby="empty-title">
      <span className="empty-icon">
        <Icon name={icon} />
      </span>
      <h2 id="empty-title">{title}</h2>
      <p>{text}</p>
      {links.length > 0 ? (
        <p className="row wrap-row">
          {links.map(({ label, path, isPrimary }) => (
            <a key={path} className={isPrimary ? 'btn primary' : 'btn quiet'} href={path}>
              {label}
            </a>
          ))}
        </p>
      ) : null}
      <p className="field-hint">{note}</p>
    </section>
  )
}
