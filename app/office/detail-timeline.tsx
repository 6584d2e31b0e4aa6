import { Panel, PanelBody, Timeline } from '#app/ui/office/office-parts.tsx'
import type { Tone } from '#app/ui/office/office-parts.tsx'

export type TimelineView = {
  /** Each kind with its address and how many entries it has; the first is all of them. */
  chips: readonly { label: string; count: number; path: string; isOn: boolean }[]
  days: readonly {
    day: string
    entries: readonly { kind: string; time: string; tone: Tone; text: string; quote: string | null }[]
  }[]
  /** How many entries are not shown, and the address that shows them. */
  more: { count: number; path: string }
  /** The zone of the times: "CST". */
  zone: string
}

/** What happened, newest first, with a filter for each kind. The first few entries are shown, the rest on request. */
export function TimelinePanel({ timeline: { chips, days, more, zone } }: { timeline: TimelineView }) {
  return (
    <Panel id="timeline" title="Timeline" note={`Newest first, ${zone}`}>
      <PanelBody>
        <nav className="office-chips" aria-label="Filter the timeline">
          {chips.map(({ label, count, path, isOn }) => (
            <a key={label} className="chip" href={path} aria-current={isOn ? 'true' : undefined}>
              {label} <b>{count}</b>
            </a>
          ))}
        </nav>
      </PanelBody>
      <Timeline
        days={days.map(({ day, entries }) => ({
          day,
          entries: entries.map(({ kind, time, tone, text, quote }) => ({
            kind,
            time,
            tone,
            body: (
              <>
                {text}
                {quote ? <blockquote>{quote}</blockquote> : null}
              </>
            ),
          })),
        }))}
      />
      {more.count > 0 ? (
        <PanelBody>
          <a href={more.path}>Show {more.count} more</a>
        </PanelBody>
      ) : null}
    </Panel>
  )
}
