import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { WaitingWork } from './waiting-work.tsx'

test('without open tasks, the next deadline is shown', () => {
  const empty = [{ slug: 'returns', title: 'Returns to inspect', path: '/office/returns' }]
  const render = (next: string | null) =>
    renderToStaticMarkup(<WaitingWork queues={{ waiting: [], empty }} zone="EST" next={next} />)
  const html = render('2:15 PM, Elena Ruiz at Halsted Tire')
  expect(html).toContain('Nothing needs you right now')
  expect(html).toContain('Next deadline: 2:15 PM, Elena Ruiz at Halsted Tire')
  expect(html).toContain('Returns to inspect')
  expect(render(null)).not.toContain('Next deadline')
})
