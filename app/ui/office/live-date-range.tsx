/** The days of a filter as one field with a calendar, by React Aria. Loaded after the page, by lists with such a filter. */
import { parseDate } from '@internationalized/date'
import { Button } from 'react-aria-components/Button'
import { CalendarCell, CalendarGrid, RangeCalendar } from 'react-aria-components/RangeCalendar'
import { DateInput, DateSegment } from 'react-aria-components/DateField'
import { DateRangePicker } from 'react-aria-components/DateRangePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Label } from 'react-aria-components/Label'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from '#app/ui/icon.tsx'
import { zoneWords, type DateRangeProps } from './date-range-props.ts'

export function LiveDateRange({ label, from, to }: DateRangeProps) {
  return (
    <I18nProvider locale="en-US">
      <DateRangePicker
        className="office-days"
        startName="from"
        endName="to"
        validationBehavior="aria"
        defaultValue={from === '' || to === '' ? null : { start: parseDate(from), end: parseDate(to) }}
      >
        <Label>
          {label}, {zoneWords}
        </Label>
        <Group className="input office-days-box">
          <DateInput slot="start">{(segment) => <DateSegment segment={segment} />}</DateInput>
          <span aria-hidden="true">–</span>
          <DateInput slot="end">{(segment) => <DateSegment segment={segment} />}</DateInput>
          <Button className="office-days-open">
            <Icon name="calendar" size="s" />
          </Button>
        </Group>
        <Popover className="office-days-list" offset={4}>
          <Dialog>
            <RangeCalendar>
              <header>
                <Button slot="previous">
                  <Icon name="left" size="s" />
                </Button>
                <Heading />
                <Button slot="next">
                  <Icon name="right" size="s" />
                </Button>
              </header>
              <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
            </RangeCalendar>
          </Dialog>
        </Popover>
      </DateRangePicker>
    </I18nProvider>
  )
}
