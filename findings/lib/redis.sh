# Sourced by findings that need Redis: a server of Debian's package in the temporary folder, ended with the script.
debian redis-tools redis-server libjemalloc2 liblzf1 liblua5.1-0 lua-cjson lua-bitop
export REDIS_PORT
REDIS_PORT=$(node -e "const s=require('node:net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
root=$folder/debian/root
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu "$root/usr/bin/redis-server" --port "$REDIS_PORT" --bind 127.0.0.1 --save '' --dir "$folder" > redis.log &
redis=$!
stop='kill $redis; wait $redis 2>/dev/null'
until grep -q 'Ready to accept' redis.log; do sleep 0.05; done
