-- Asks with the body that is the script's one argument, in which the eight digits of a user's number change.
local head, tail

function init(args)
    math.randomseed(os.time())
    wrk.headers["Content-Type"] = "application/json"
    local request = wrk.format("POST", nil, nil, args[1])
    local from, to = string.find(request, "00000000", 1, true)
    head = string.sub(request, 1, from - 1)
    tail = string.sub(request, to + 1)
end

function request()
    return head .. string.format("%08d", math.random(0, 99999)) .. tail
end
