-- Photos that shops send with a dispute. The release before never reads this.

alter table pay_dispute add column file_key uuid, add constraint pay_dispute_file unique (file_key),
  add foreign key (file_key) references stored_file;
comment on column pay_dispute.file_key is 'The shop’s photo; null without one, and after its retention period.';
create trigger remove_named_file after delete or update of file_key on pay_dispute for each row execute function remove_named_file();
