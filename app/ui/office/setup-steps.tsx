import type { ReactNode } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import type { SetupProgress, StepView } from '#domain/operations/setup/setup.ts'
import { countOf } from '#platform/count-text.ts'
import { OfficeIcon } from './office-icon.tsx'

/** "6 of 13 done". */
export function doneText({ done, of }: SetupProgress): string {
  return `${done} of ${of} done`
}

/** "about 45 minutes left". */
export function leftText({ minutesLeft, isReady, done, of }: SetupProgress): string {
  if (done === of) return 'all done'
  return isReady ? 'only opening is left' : `about ${countOf(minutesLeft, 'minute')} left`
}

/** The dashed line with how far the setup is. */
export function SetupRoad({ progress: { done, of } }: { progress: SetupProgress }) {
  return (
    <progress className="setup-road" max={of} value={done}>
      {done} of {of}
    </progress>
  )
}

/** Steps with their states; `acts` is what each of them offers, by its name. */
export function SetupSteps({
  steps,
  acts,
  isShort = false,
}: {
  steps: readonly StepView[]
  acts: ReadonlyMap<StepView['name'], ReactNode>
  /** With what there is to do as the title, as on Home. */
  isShort?: boolean
}) {
  return (
    <ul className="setup-steps">
      {steps.map((step) => (
        <li key={step.name} id={step.name} className={`is-${step.state}`}>
          <span className="setup-mark">
            <Mark step={step} />
          </span>
          <div>
            <p className="setup-name">
              <b>{isShort ? step.task : step.label}</b>
              {step.state === 'progress' ? <Tag tone="signal">In progress</Tag> : null}
            </p>
            <p className="setup-words">{step.words}</p>
            {step.warning ? (
              <p className="setup-warning">
                {step.warning.text}{' '}
                {step.warning.link ? <a href={step.warning.link.path}>{step.warning.link.label}</a> : null}
              </p>
            ) : null}
          </div>
          <div className="setup-act">{acts.get(step.name)}</div>
        </li>
      ))}
    </ul>
  )
}

const stateTexts = { done: 'Done', failed: 'Failed', blocked: 'Waiting' } as const

function Mark({ step: { state, number } }: { step: StepView }) {
  if (state === 'todo' || state === 'progress') return number
  const text = <span className="visually-hidden">{stateTexts[state]}</span>
  return (
    <>
      {state === 'done' ? <Icon name="check" size="s" /> : state === 'failed' ? '!' : <OfficeIcon name="lock" />}
      {text}
    </>
  )
}
