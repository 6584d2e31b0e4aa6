-- What the owner of an account knows a session by, like "Firefox on Windows": read once from what the browser said of itself, which is not kept.
alter table account_session add column browser text check (length(browser) between 1 and 60);
