import { Panel } from '#app/ui/office/office-parts.tsx'
import { doneText, leftText, SetupRoad, SetupSteps } from '#app/ui/office/setup-steps.tsx'
import type { SetupView } from '#app/views/office/setup.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { StepView } from '#domain/operations/setup/setup.ts'

/** The next four steps of the setup, on Home until the store is open. */
export function SetupCard({ setup: { steps, progress } }: { setup: SetupView }) {
  const open = steps.filter(({ state, name }) => state !== 'done' && (state !== 'blocked' || name === 'live'))
  const next = open.slice(0, 4)
  return (
    <Panel
      id="setup"
      title="Open your store"
      note={`${doneText(progress)}, ${leftText(progress)}`}
      end={<a href={officePaths.officeSetup()}>All steps</a>}
    >
      <div className="setup-head">
        <SetupRoad progress={progress} />
      </div>
      <SetupSteps
        isShort
        steps={next}
        acts={
          new Map(
            next.map((step, index) => [step.name, <StepLink key={step.name} step={step} isFirst={index === 0} />]),
          )
        }
      />
    </Panel>
  )
}

/** Leads to the page of a step, or to the step in the setup. */
function StepLink({ step: { name, state, page, task }, isFirst }: { step: StepView; isFirst: boolean }) {
  if (state === 'blocked') return null
  return (
    <a
      className={isFirst ? 'btn primary' : 'btn quiet'}
      href={page?.path ?? `${officePaths.officeSetup()}#${name}`}
      aria-label={page ? `${page.label}: ${task}` : `Open: ${task}`}
    >
      {page?.label ?? 'Open'}
    </a>
  )
}
