export type StepperStep = { title: string; detail: string; state: 'done' | 'now' | 'next' }

/** An order's progress line with completed, current and upcoming steps. Vertical on phones, horizontal elsewhere. */
export function OrderTimeline({ steps, label }: { steps: StepperStep[]; label: string }) {
  return (
    <ol className="order-timeline tabular" aria-label={label}>
      {steps.map((step) => (
        <li key={step.title} className={`is-${step.state}`} aria-current={step.state === 'now' ? 'step' : undefined}>
          <p className="order-timeline-title">
            {step.title}
            {step.state === 'done' ? <span className="visually-hidden">, done</span> : null}
          </p>
          {step.detail ? <p className="order-timeline-detail">{step.detail}</p> : null}
        </li>
      ))}
    </ol>
  )
}
