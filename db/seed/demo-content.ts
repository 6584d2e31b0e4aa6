/** The demo's draft of a content page, which staff can preview and publish. */
import type { PoolClient } from 'pg'
import { insertRows } from '#db/insert-rows.ts'

const body = `Buying tires has three hard parts, knowing what fits, knowing what it costs, and getting it done. We do all three in one place and show our work.

## This winter

- Winter tires are in stock from October, and so are the people who mount them.
- Appointments can be moved until {{moveNoticeMinutes minute}} before they start.
- Not sure whether you need them? Read [winter or all-weather](/learn/choosing-tires/winter-or-all-weather).

## What stays the same

The price you see is the price you pay, out the door. Unmounted tires come back within {{returnDays day}}.
`

/** Inserts the draft as of `now`. */
export async function loadContentDraft(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const draft = {
    id: 1,
    path: 'pages/about',
    form_key: '00000000-0000-4000-8000-000000000501',
    title: 'About this store',
    description:
      'Tires that really fit, the whole price before you pay, and an appointment nearby. What is new this winter.',
    body,
    created_by: 'catalog@example.com',
    created_at: now.subtract({ hours: 5 }).toString(),
  }
  await insertRows(client, 'content_version', [draft], 'id')
}
