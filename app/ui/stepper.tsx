/** The steps of a service without tires. */
export const serviceSteps = ['Service', 'Time', 'Your details', 'Payment'] as const
const checkoutSteps = ['Tires', 'Shop and time', 'Your details', 'Payment'] as const

/** The dashed center line, showing progress in checkout or another four-step process. `at` counts from 0. */
export function Stepper({
  at,
  label = 'Checkout steps',
  steps = checkoutSteps,
}: {
  at: 0 | 1 | 2 | 3
  label?: string
  steps?: readonly [string, string, string, string] | undefined
}) {
  return (
    <nav className="stepper" aria-label={label}>
      <ol style={{ '--at': `${at * 25 + 12.5}%` } as React.CSSProperties}>
        {steps.map((step, index) => (
          <li
            key={step}
            className={index === at ? 'is-now' : index < at ? 'is-done' : undefined}
            aria-current={index === at ? 'step' : undefined}
          >
            {step}
          </li>
        ))}
      </ol>
    </nav>
  )
}
