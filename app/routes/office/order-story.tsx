import { Panel, PanelBody, Timeline } from '#app/ui/office/office-parts.tsx'
import type { StoryKind } from '#app/views/office-order-story.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { OrderPageView } from './order.tsx'

/** What happened to the order, newest first, with a filter for each kind. */
export function StoryPanel({
  order: { id },
  story: { counts, days },
  show,
  zone,
  kinds,
}: Pick<OrderPageView, 'order' | 'story' | 'show' | 'zone'> & { kinds: Readonly<Record<StoryKind, string>> }) {
  const chips: [StoryKind | 'all', string][] = [
    ['all', 'Everything'],
    ...(Object.entries(kinds) as [StoryKind, string][]).filter(([kind]) => counts[kind] > 0),
  ]
  return (
    <Panel id="story" title="What happened" note={`Newest first, ${zone}`}>
      <PanelBody>
        <nav className="office-chips" aria-label="Show">
          {chips.map(([kind, words]) => (
            <a
              key={kind}
              className="chip"
              href={`${officePaths.officeOrder(id, { show: kind === 'all' ? undefined : kind })}#story`}
              aria-current={(show ?? 'all') === kind ? 'true' : undefined}
            >
              {words} <b>{counts[kind]}</b>
            </a>
          ))}
        </nav>
      </PanelBody>
      <Timeline
        days={days.map(({ day, entries }) => ({
          day,
          entries: entries.map(({ kind, time, tone, text, quote, path }) => ({
            kind,
            time,
            tone,
            body: (
              <>
                {path ? <a href={path}>{text}</a> : text}
                {quote ? <blockquote>{quote}</blockquote> : null}
              </>
            ),
          })),
        }))}
      />
    </Panel>
  )
}
