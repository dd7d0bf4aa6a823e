# Sourced by findings that need a PostgreSQL server: Debian's package in the temporary folder, ended with the script.
debian postgresql-15 postgresql-client-15
bin=$folder/debian/root/usr/lib/postgresql/15/bin
export PGPORT PGHOST=127.0.0.1 PGUSER=postgres
PGPORT=$(node -e "const s=require('node:net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
as=()
if [ "$(id -u)" = 0 ]; then # the server refuses to run as root
  as=(setpriv --reuid=nobody --clear-groups)
  chmod -R a+rX "$folder"
fi
install_data=$folder/database
mkdir "$install_data" && chmod 777 "$install_data"
"${as[@]}" "$bin/initdb" -D "$install_data/data" -U postgres --locale=C.UTF-8 -E UTF8 > initdb.log 2>&1 || { tail -5 initdb.log; exit 1; }
stop='"${as[@]}" "$bin/pg_ctl" -D "$install_data/data" -m immediate stop >/dev/null 2>&1'
"${as[@]}" "$bin/pg_ctl" -D "$install_data/data" -o "-p $PGPORT -k '' -c listen_addresses=127.0.0.1 -c fsync=off" -l "$install_data/log" -w start > /dev/null
