-- Photos that shops take of jobs. The release before never reads this.
create table work_order_photo (
  booking_id uuid not null references work_order on delete cascade,
  kind text not null check (kind in ('old', 'front', 'rear')),
  file_key uuid not null references stored_file,
  sent_at timestamptz not null,
  sent_by uuid references shop_member on delete set null,
  primary key (booking_id, kind),
  constraint work_order_photo_file unique (file_key)
);
comment on table work_order_photo is 'Photos that a shop took of a job, one of each kind.';
create index work_order_photo_of_member on work_order_photo (sent_by);
create index work_order_photo_by_age on work_order_photo (sent_at);
create trigger remove_named_file after delete or update of file_key on work_order_photo for each row execute function remove_named_file();
