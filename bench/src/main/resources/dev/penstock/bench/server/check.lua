-- Sends the body in the script's only argument, and changes the eight digits of the user's number in each request.
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
