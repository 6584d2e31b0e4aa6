export type RoadStep = { title: string; detail: string; state: 'done' | 'now' | 'next' }

/** The dashed line of an order: what is done, what happens now, what comes next. Down the page on phones, across it elsewhere. */
export function OrderRoad({ steps, label }: { steps: RoadStep[]; label: string }) {
  return (
    <ol className="order-road tabular" aria-label={label}>
      {steps.map((step) => (
        <li key={step.title} className={`is-${step.state}`} aria-current={step.state === 'now' ? 'step' : undefined}>
          <p className="order-road-title">
            {step.title}
            {step.state === 'done' ? <span className="visually-hidden">, done</span> : null}
          </p>
          {step.detail ? <p className="order-road-detail">{step.detail}</p> : null}
        </li>
      ))}
    </ol>
  )
}
