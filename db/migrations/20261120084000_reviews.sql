-- Reviews as shoppers write them: one per person and line, moderated by stated rules, marked when an order proves them, voted on once per visitor.
alter table review
  -- "Toyota RAV4", where the words of the vehicle name a known model; reviews are filtered by it.
  add column vehicle_model text,
  -- The browser it was written in, which cannot vote for it.
  add column writer_id uuid,
  -- What the automatic reading stopped at. Stars are no part of that reading.
  add column held_for text[] not null default '{}' check (held_for <@ array['link', 'contact-details', 'profanity', 'shouting']),
  add column refused_for text
    check (refused_for in ('off-topic', 'profanity', 'personal-information', 'advertising', 'not-genuine', 'hateful', 'unlawful')),
  add constraint review_refused_for_a_reason check ((state = 'refused') = (refused_for is not null)),
  add constraint review_has_a_writer check (sample or (email is not null and purchased_on is not null)),
  add constraint review_comments_length check (char_length(comments) between 1 and 4000),
  add constraint review_driving_style check (driving_style in ('Relaxed', 'Average', 'Spirited', 'Towing or hauling')),
  add constraint review_where_used check (where_used in ('Highway', 'City', 'Mixed', 'Country roads', 'Off road'));

-- Who was refused may write again.
create unique index review_once_per_email on review (product_line_id, email) where state <> 'refused';
create unique index review_once_per_order on review (verified_order_id, product_line_id) where state <> 'refused';

drop index review_by_line;
drop index review_best;
create index review_newest_of_line on review (product_line_id, written_at desc, id desc) where state = 'published';
create index review_most_helpful_of_line on review (product_line_id, helpful_count desc, id desc) where state = 'published';
create index review_by_stars_of_line on review (product_line_id, overall_hundredths, id) where state = 'published';
create index review_by_vehicle_of_line on review (product_line_id, vehicle_model) where state = 'published';
create index review_newest on review (written_at desc, id desc) where state = 'published';
create index review_most_helpful on review (helpful_count desc, id desc) where state = 'published';
create index review_waiting on review (written_at, id) where state = 'waiting';

create table review_event (
  id bigint generated always as identity primary key,
  review_id integer not null references review on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text
);
create index review_event_by_review on review_event (review_id);

-- Whether a parcel with tires of this line was delivered for this order.
create function order_brought_line(asked_order bigint, asked_line integer) returns boolean language sql stable as $$
  select exists (
    select from order_line line
    join item on item.id = line.item_id
    join stock_allocation part on part.order_id = line.order_id and part.line_no = line.line_no
    join shipment on shipment.order_id = part.order_id and shipment.warehouse_id = part.warehouse_id
    where line.order_id = asked_order and item.product_line_id = asked_line and shipment.delivered_at is not null)
$$;

create function review_mark_is_proven() returns trigger language plpgsql as $$
begin
  if new.verified_order_id is not null and not order_brought_line(new.verified_order_id, new.product_line_id) then
    raise exception 'order % brought no tires of line %', new.verified_order_id, new.product_line_id
      using errcode = 'check_violation', constraint = 'review_mark_is_proven';
  end if;
  return new;
end $$;
create trigger review_mark_is_proven before insert or update of verified_order_id, product_line_id on review
  for each row execute function review_mark_is_proven();

-- Who found a review helpful; the count beside the review follows.
create table review_vote (
  review_id integer not null references review on delete cascade,
  visitor_id uuid not null,
  at timestamptz not null,
  primary key (review_id, visitor_id)
);

create function review_vote_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update review set helpful_count = helpful_count + 1 where id = new.review_id;
  else
    update review set helpful_count = helpful_count - 1 where id = old.review_id;
  end if;
  return null;
end $$;
create trigger review_vote_counted after insert or delete on review_vote for each row execute function review_vote_counted();

-- What lines are ranked by: their mean with eight imagined reviews of 3.6 stars added, in ten-thousandths of a star (domain/reviews/ranking.ts).
alter table line_rating
  add column ranking integer generated always as ((review_count * overall_hundredths + 8 * 360) * 100 / (review_count + 8)) stored;
create index line_rating_best on line_rating (ranking desc, product_line_id);

-- Two reviews of one line published at once wait for each other here; without the lock the second would count without the first, or collide with it.
create or replace function line_rating_refresh(line_ids integer[]) returns void language sql as $$
  select from product_line where id = any (line_ids) order by id for no key update;
  delete from line_rating where product_line_id = any (line_ids);
  insert into line_rating (product_line_id, review_count, overall_hundredths, dry_hundredths, wet_hundredths, winter_hundredths, comfort_hundredths,
    noise_hundredths, treadwear_hundredths, buy_again_percent, histogram)
  select product_line_id, count(*), round(avg(overall_hundredths)),
    round(avg(dry) * 100), round(avg(wet) * 100), round(avg(winter) * 100),
    round(avg(comfort) * 100), round(avg(noise) * 100), round(avg(treadwear) * 100),
    round(avg(buy_again::int) * 100),
    array[
      count(*) filter (where overall_hundredths < 150),
      count(*) filter (where overall_hundredths between 150 and 249),
      count(*) filter (where overall_hundredths between 250 and 349),
      count(*) filter (where overall_hundredths between 350 and 449),
      count(*) filter (where overall_hundredths >= 450)]
  from review where state = 'published' and product_line_id = any (line_ids) group by product_line_id;
$$;

-- A vote changes no rating, so it does not count the line again.
create or replace function review_changed() returns trigger language plpgsql as $$
declare
  lines integer[];
begin
  if tg_op = 'INSERT' then
    lines := array(select distinct product_line_id from changed where state = 'published');
  elsif tg_op = 'DELETE' then
    lines := array(select distinct product_line_id from gone where state = 'published');
  else
    lines := array(
      select distinct unnest(array[later.product_line_id, earlier.product_line_id]) from changed later join gone earlier on earlier.id = later.id
      where (later.product_line_id, later.state, later.overall_hundredths, later.dry, later.wet, later.winter, later.comfort, later.noise, later.treadwear, later.buy_again)
        is distinct from
        (earlier.product_line_id, earlier.state, earlier.overall_hundredths, earlier.dry, earlier.wet, earlier.winter, earlier.comfort, earlier.noise, earlier.treadwear, earlier.buy_again));
  end if;
  if cardinality(lines) > 0 then
    perform line_rating_refresh(lines);
  end if;
  return null;
end $$;
