import { Notice } from '#app/ui/office/office-parts.tsx'
import type { groupBySecondFactor } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'

const listed = 20

/** Lists staff without a second factor, with the next step. An unknown factor counts as neither safe nor unsafe. */
export function SecondFactors({
  factors: { without, unknown },
  security,
}: {
  factors: ReturnType<typeof groupBySecondFactor>
  security: string | null
}) {
  return (
    <>
      {without.length > 0 ? (
        <Notice
          tone="signal"
          title={`${countOf(without.length, 'person', 'people')} last signed in without a second factor`}
        >
          <p>
            A stolen password is enough to open the back office as one of them. Require a second factor for staff at
            your sign-in provider, or have them add a passkey there.{' '}
            {security ? <a href={security}>Add yours</a> : null}
          </p>
          <ul>
            {without.slice(0, listed).map(({ email, roles }) => (
              <li key={email}>
                {email}, {roles.join(', ')}
              </li>
            ))}
            {without.length > listed ? <li>{without.length - listed} more, in the list below</li> : null}
          </ul>
        </Notice>
      ) : null}
      {unknown.length > 0 ? (
        <Notice tone="signal" title={`Second factor unknown for ${countOf(unknown.length, 'person', 'people')}`}>
          <p>
            Your sign-in provider didn’t report it at their last sign-in, or they haven’t signed in since the store
            records it. Check it at the provider, or have the provider send <code>amr</code> or <code>acr</code>.
          </p>
        </Notice>
      ) : null}
    </>
  )
}
