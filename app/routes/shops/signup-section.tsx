/** The sections of /installer-signup with their fields and panel. */
import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'

/** Every field by its section, with its label in the error summary. */
export const signupSections = {
  shop: {
    title: 'Your shop',
    labels: {
      company: 'Company',
      street: 'Street address',
      city: 'City',
      state: 'State',
      zip: 'ZIP',
      shopPhone: 'Shop phone',
      shopWebsite: 'Website',
    },
  },
  people: {
    title: 'People',
    labels: {
      ownerFirstName: 'Owner’s first name',
      ownerLastName: 'Owner’s last name',
      ownerEmail: 'Owner’s email',
      ownerPhone: 'Owner’s phone',
      leadFirstName: 'First name in the bays',
      leadLastName: 'Last name in the bays',
      leadEmail: 'Email in the bays',
      leadPhone: 'Phone in the bays',
    },
  },
  services: { title: 'Services', labels: {} },
  hours: { title: 'Hours', labels: { hours: 'Hours' } },
  photo: { title: 'Picture', labels: { picture: 'Picture' } },
  agreement: { title: 'Agreement', labels: { agree: 'Agreement' } },
} as const
export type SectionId = keyof typeof signupSections

/** Every field’s label in the error summary. */
export const signupLabels: Record<string, string> = Object.fromEntries(
  Object.values(signupSections).flatMap(({ labels }) => Object.entries(labels)),
)

/** How many of a section's fields are wrong. */
export function faultsIn(id: SectionId, { errors }: FormReply): number {
  return Object.keys(signupSections[id].labels).filter((name) => errors[name] !== undefined).length
}

/** Renders a form section with its title, its completion status, and its fields. */
export function Section({
  id,
  reply,
  isRefused = false,
  note,
  children,
}: {
  reply: FormReply
  id: SectionId
  isRefused?: boolean
  note?: string
  children: ReactNode
}) {
  const faults = isRefused ? faultsIn(id, reply) : 0
  return (
    <section className="panel signup-section" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{signupSections[id].title}</h2>
        {faults > 0 ? (
          <span className="signup-faults">{faults} to fix</span>
        ) : isRefused && Object.keys(signupSections[id].labels).length > 0 ? (
          <span className="signup-complete">
            <Icon name="check" size="s" />
            Complete
          </span>
        ) : note ? (
          <span className="muted small">{note}</span>
        ) : null}
      </header>
      {children}
    </section>
  )
}
