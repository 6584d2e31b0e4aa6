import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { setUpStepNames, setUpSteps, type SetUpStep } from '#domain/installer-portal/portal/portal.ts'

/** One onboarding step, with its purpose, form, and the link back to the list. */
export function StepPage({
  shopCode,
  step,
  words,
  reply,
  labels,
  children,
}: {
  shopCode: string
  step: SetUpStep
  words: string
  reply: FormReply | undefined
  labels?: Record<string, string>
  children: ReactNode
}) {
  return (
    <div className="wrap portal narrow">
      <p className="portal-back">
        <a href={portalPaths.setUp(shopCode)}>All steps</a>
        <span>
          Step {setUpSteps.indexOf(step) + 1} of {setUpSteps.length}
        </span>
      </p>
      <h1>{setUpStepNames[step]}</h1>
      <p className="muted">{words}</p>
      <ErrorSummary reply={reply} {...(labels ? { labels } : {})} />
      {children}
    </div>
  )
}
