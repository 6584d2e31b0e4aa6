-- Pages that a store adds itself, and the parts of other pages that it writes: the home page banner and its own questions.
alter table content_version drop constraint content_version_path_check;
alter table content_version add constraint content_version_path_check
  check (path ~ '^(policies|pages|own|parts)/[a-z0-9-]{1,80}$');
