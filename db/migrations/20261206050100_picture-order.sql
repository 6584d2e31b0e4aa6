-- Staff choose which picture of a model comes first.
alter table line_picture add column position integer not null default 0;
comment on column line_picture.position is 'Lower ones come first; then the older one.';
